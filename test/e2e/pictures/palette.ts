// Makes a picture small: 256 colours of its own are enough for a page, and a PNG with a palette is a third of the size.

import { crc32, deflateSync } from 'node:zlib'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue, alpha of each pixel, row by row. */
  readonly data: Uint8Array
}

type Colour = readonly [red: number, green: number, blue: number, count: number]

const SPREAD = [0, 1, 2] as const

/** The channel in which a box is widest, and how wide it is there. */
function widest(box: readonly Colour[]): { readonly channel: 0 | 1 | 2; readonly width: number } {
  const widths = SPREAD.map(channel => {
    let [least, most] = [255, 0]
    for (const colour of box) {
      least = Math.min(least, colour[channel])
      most = Math.max(most, colour[channel])
    }
    return { channel, width: most - least }
  })
  return widths.reduce((one, other) => (other.width > one.width ? other : one))
}

const weight = (box: readonly Colour[]): number => box.reduce((sum, colour) => sum + colour[3], 0)

/** Median cut: the box with the most to lose is halved until there are enough. */
function boxesOf(colours: Colour[]): Colour[][] {
  const boxes = [colours]
  while (boxes.length < 256) {
    const loss = boxes.map(box => (box.length < 2 ? 0 : widest(box).width ** 2 * weight(box) ** 0.4))
    const worst = loss.indexOf(Math.max(...loss))
    if (loss[worst] === 0) break
    const box = boxes[worst]!
    const { channel } = widest(box)
    box.sort((one, other) => one[channel] - other[channel])
    boxes.splice(worst, 1, box.slice(0, box.length >> 1), box.slice(box.length >> 1))
  }
  return boxes
}

/** The most frequent colour of a box, so that plain areas keep their colour. */
const speaker = (box: readonly Colour[]): Colour =>
  box.reduce((one, other) => (other[3] > one[3] ? other : one))

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** @returns a PNG file */
export function paletted({ data, height, width }: Pixels): Buffer {
  const counts = new Map<number, number>()
  const colourAt = (pixel: number): number =>
    (data[pixel]! << 16) | (data[pixel + 1]! << 8) | data[pixel + 2]!
  for (let pixel = 0; pixel < data.length; pixel += 4) {
    counts.set(colourAt(pixel), (counts.get(colourAt(pixel)) ?? 0) + 1)
  }
  const colours = [...counts].map(([rgb, n]): Colour => [rgb >> 16, (rgb >> 8) & 255, rgb & 255, n])
  const boxes = boxesOf(colours)
  const index = new Map<number, number>()
  for (const [at, box] of boxes.entries()) {
    for (const [red, green, blue] of box) index.set((red << 16) | (green << 8) | blue, at)
  }
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) lines[y * (width + 1) + x + 1] = index.get(colourAt((y * width + x) * 4))!
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(boxes.flatMap(box => speaker(box).slice(0, 3)))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0))
  ])
}
