// The navigation that all pages of the demo share. The build puts it where a page has `<!-- navigation -->`.

interface SitePage {
  readonly name: string
  /** Path below the address of the server. */
  readonly path: string
}

export const SITE_PAGES: readonly SitePage[] = [
  { name: 'Demo', path: '' },
  { name: 'States', path: 'demo/states' },
  { name: 'Theming', path: 'demo/theming' },
  { name: 'Strict CSP', path: 'demo/strict' },
  { name: 'Sandbox', path: 'sandbox' },
  { name: 'Reference', path: 'docs' }
]

/**
 * @param current - path of the page that shows the links
 * @param root - address of the server, as the page writes it
 */
export function renderNavigation(current: string, root = '/'): string {
  const links = SITE_PAGES.map(({ name, path }) => {
    const mark = path === current ? ' aria-current="page"' : ''
    return `<a href="${root}${path}"${mark}>${name}</a>`
  })
  return `<nav aria-label="Pages">${links.join('')}</nav>`
}

/** The path of a page by the name of its file. */
export const pathOf = (file: string): string => (file === 'index' ? '' : `demo/${file}`)
