// Themes as values of the kit's tokens, and the style sheet that sets them. Pure.

/** A colour in the light and in the dark scheme, or a length or time with its unit. */
export type TokenValue = readonly [light: string, dark: string] | string

/** Values by token, such as `--notif-accent`. A token that is absent has its default. */
export type Theme = Readonly<Record<string, TokenValue>>

export interface Preset {
  readonly name: string
  readonly theme: Theme
}

export const PRESETS: readonly Preset[] = [
  { name: 'Default', theme: {} },
  {
    name: 'Violet',
    theme: {
      '--notif-accent': ['#5a4fcf', '#a9a2ff'],
      '--notif-on-accent': ['#ffffff', '#12101f'],
      '--notif-radius-l': '12px',
      '--notif-radius-m': '8px',
      '--notif-radius-s': '5px',
      '--notif-raised': ['#ffffff', '#1b1b1f'],
      '--notif-space': '3.5px',
      '--notif-surface': ['#ffffff', '#131316']
    }
  },
  {
    name: 'Forest',
    theme: {
      '--notif-accent': ['#14713f', '#6fd39a'],
      '--notif-on-accent': ['#ffffff', '#06180e'],
      '--notif-muted': ['#4c5a51', '#b3c2b8'],
      '--notif-raised': ['#fffefa', '#1a231d'],
      '--notif-surface': ['#fffefa', '#141b16'],
      '--notif-text': ['#16221a', '#eef5f0']
    }
  },
  {
    name: 'Square',
    theme: {
      '--notif-accent': ['#0b62c4', '#62a8ff'],
      '--notif-on-accent': ['#ffffff', '#04101f'],
      '--notif-radius-l': '4px',
      '--notif-radius-m': '3px',
      '--notif-radius-s': '2px',
      '--notif-raised': ['#ffffff', '#161c24'],
      '--notif-surface': ['#ffffff', '#0e131a']
    }
  },
  {
    name: 'High contrast',
    theme: {
      '--notif-accent': ['#0a2a8c', '#a9d0ff'],
      '--notif-control': ['#3b3b3b', '#d0d0d0'],
      '--notif-line': ['#3b3b3b', '#d0d0d0'],
      '--notif-muted': ['#1f1f1f', '#e6e6e6'],
      '--notif-on-accent': ['#ffffff', '#000000'],
      '--notif-raised': ['#ffffff', '#000000'],
      '--notif-surface': ['#ffffff', '#000000'],
      '--notif-text': ['#000000', '#ffffff']
    }
  }
]

export const toCssValue = (value: TokenValue): string =>
  typeof value === 'string'
    ? value
    : value[0] === value[1]
      ? value[0]
      : `light-dark(${value[0]}, ${value[1]})`

/** Returns the rule that a page copies; a comment if nothing was changed. */
export function toStyleSheet(theme: Theme): string {
  const lines = Object.entries(theme).map(([name, value]) => `  ${name}: ${toCssValue(value)};\n`)
  return lines.length > 0
    ? `:root {\n${lines.join('')}}`
    : '/* Choose a set or change a value to see the style sheet. */'
}
