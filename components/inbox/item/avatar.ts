// The picture of an item or a person, or a letter in its place. Senders choose addresses, so they are checked.

import { html, type TemplateResult } from 'lit/html.js'

export const IMAGE_SCHEMES: readonly string[] = ['http:', 'https:']
export const LINK_SCHEMES: readonly string[] = [...IMAGE_SCHEMES, 'mailto:']

/**
 * Returns the address if its scheme cannot run code. Relative addresses belong to the page. The URL parser drops tabs and line
 * breaks as the browser does, so it finds the scheme that the browser would use.
 */
export function safeUrl(url: string | undefined, schemes: readonly string[]): string | undefined {
  if (!url || !URL.canParse(url, document.baseURI)) return undefined
  const { password, protocol, username } = new URL(url, document.baseURI)
  // `https://bank.example@evil` looks like an address of the bank.
  return schemes.includes(protocol) && username + password === '' ? url : undefined
}

const COLOR_COUNT = 6

/** Notifications of the same type have the same color, and so has the same person. */
export function colorIndex(key: string): number {
  let hash = 0
  for (const letter of key) hash = (hash * 31 + letter.codePointAt(0)!) % 65_521
  return (hash % COLOR_COUNT) + 1
}

/** @param broken - addresses of pictures that did not load */
export function renderAvatar(
  imageURL: string | undefined,
  name: string,
  tone: number,
  broken: ReadonlySet<string | null>
): TemplateResult {
  const url = safeUrl(imageURL, IMAGE_SCHEMES)
  if (url && !broken.has(url)) {
    return html`<img class="avatar" part="image" alt="" loading="lazy" decoding="async" src=${url} />`
  }
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•'
  return html`<div
    class="avatar"
    part="image"
    data-tone=${tone}
    aria-hidden="true"
    .textContent=${initial}
  ></div>`
}
