// The address of the dashboard: `/admin/{clientId}/{page}/{item}?{query}`. Links inside the dashboard change it without a request.

export interface Place {
  /** Undefined on `/admin` itself. */
  readonly clientId: string | undefined
  /** `now` if the address names none. */
  readonly page: string
  /** Id in the path, decoded; empty if there is none. */
  readonly item: string
  /** Without the question mark. */
  readonly query: string
  /** Without the number sign. */
  readonly hash: string
}

/** @param base - path of the dashboard, such as `/admin` */
export function parsePlace({ hash, pathname, search }: URL | Location, base: string): Place {
  const [clientId, page = '', ...item] = pathname
    .slice(base.length)
    .split('/')
    .slice(1)
    .map(decodeURIComponent)
  return {
    clientId: clientId || undefined,
    hash: hash.slice(1),
    item: item.join('/'),
    page: page || 'now',
    query: search.slice(1)
  }
}

/** A link that this page follows itself: the main button, no other window, no download. */
function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.composedPath().find(one => one instanceof HTMLAnchorElement)
  return link?.href && !link.target && !link.hasAttribute('download') ? link : undefined
}

export class Router {
  readonly #base: URL
  readonly #onChange: (place: Place) => void
  readonly #abort = new AbortController()

  /** @param base - address of the dashboard, such as `https://notify.example/admin` */
  constructor(base: string, onChange: (place: Place) => void) {
    this.#base = new URL(base)
    this.#onChange = onChange
    const { signal } = this.#abort
    addEventListener('popstate', this.#report, { signal })
    document.addEventListener('click', this.#onClick, { signal })
  }

  get place(): Place {
    return parsePlace(location, this.#base.pathname)
  }

  go(url: string, replace = false): void {
    if (replace) history.replaceState(null, '', url)
    else if (new URL(url, location.href).href !== location.href) history.pushState(null, '', url)
    this.#report()
  }

  stop(): void {
    this.#abort.abort()
  }

  readonly #report = (): void => this.#onChange(this.place)

  readonly #onClick = (event: MouseEvent): void => {
    const link = findLink(event)
    if (!link) return
    const url = new URL(link.href)
    const isOwn = url.origin === this.#base.origin && `${url.pathname}/`.startsWith(`${this.#base.pathname}/`)
    if (!isOwn) return
    event.preventDefault()
    this.go(url.href)
  }
}
