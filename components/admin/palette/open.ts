// Opens the palette and the list of keys.

import type { AdminScope } from '../api/scope.ts'
import { AdminKeys } from './keys.ts'
import { AdminPalette, type PaletteOptions } from './palette.ts'

function append<T extends HTMLElement>(tag: string, element: new () => T): T | undefined {
  if (!customElements.get(tag)) customElements.define(tag, element)
  if (document.querySelector(tag)) return undefined
  return document.body.appendChild(document.createElement(tag) as T)
}

export function openPalette(scope: AdminScope, options: PaletteOptions): void {
  const palette = append('notif-admin-palette', AdminPalette)
  if (palette) Object.assign(palette, { options, scope })
}

export const openKeys = (): void => void append('notif-admin-keys', AdminKeys)
