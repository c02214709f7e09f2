// Loads the palette and the list of keys when they are opened.

import type { AdminScope } from '../api/scope.ts'
import { hasScreen, NAVIGATION } from './screens.ts'

export async function openPalette(scope: AdminScope, go: (page: string) => void): Promise<void> {
  const { openPalette } = await import('../palette/open.ts')
  const pages = NAVIGATION.flat().filter(({ page }) => hasScreen(page))
  openPalette(scope, { go, hasUsers: hasScreen('users'), pages })
}

export const openKeys = async (): Promise<void> => (await import('../palette/open.ts')).openKeys()
