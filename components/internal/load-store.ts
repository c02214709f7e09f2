// The connection comes once the page is painted: nobody can see a number before that.

import type { NotifStore } from '../store/index.ts'
import type { KitConfig } from './config.ts'
import { ready } from '../transport/ready.ts'
import { openStore } from './open-store.ts'

let home = new URL(import.meta.url).origin

/** @param address - of the server where a page names none; without this, the origin of the script */
export const setHome = (address: string): void => void (home = address)

export async function loadStore(config: KitConfig): Promise<NotifStore> {
  await ready()
  return openStore(config, home, await import('../transport/connection.ts'))
}
