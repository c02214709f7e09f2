// Light, dark, or as the system has it; remembered in this browser. And the styles of the page around the dashboard.

export const SCHEMES = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const KEY = 'notif-admin-scheme'

export const readScheme = (): Scheme => SCHEMES.find(scheme => scheme === localStorage.getItem(KEY)) ?? 'auto'

export function applyScheme(scheme: Scheme = readScheme()): void {
  document.documentElement.style.colorScheme = scheme === 'auto' ? 'light dark' : scheme
}

export function setScheme(scheme: Scheme): void {
  localStorage.setItem(KEY, scheme)
  applyScheme(scheme)
}

/** The page's own policy allows no inline style. */
export function adoptPageStyles(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    'body { margin: 0; background: light-dark(oklch(0.972 0.004 85), oklch(0.158 0.005 265)) }'
  )
  document.adoptedStyleSheets.push(sheet)
}
