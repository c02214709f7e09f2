// Contrast of colours as they are painted: WCAG 2.2, "contrast ratio" and "relative luminance".

type Rgb = readonly [red: number, green: number, blue: number]

const canvas = Object.assign(document.createElement('canvas'), { height: 1, width: 1 })
const pixel = canvas.getContext('2d', { willReadFrequently: true })!

/**
 * Returns the colour that the layers paint, the lowest first. It resolves `light-dark()` and `var()` as an element at the place of
 * the probe does.
 */
export function paint(probe: HTMLElement, ...layers: readonly string[]): Rgb {
  for (const layer of layers) {
    probe.style.color = layer
    pixel.fillStyle = getComputedStyle(probe).color
    pixel.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}

/** As a colour input needs it. */
export const toHex = (colour: Rgb): string =>
  `#${colour.map(part => part.toString(16).padStart(2, '0')).join('')}`

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map(part => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
