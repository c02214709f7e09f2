// Whether a user wants to hear arrivals in this browser: what the user chose in the menu, else what the page configured.

import { readStored, writeStored } from './user-storage.ts'

/** @param configured - of the page; the attribute of a script tag is a text, and an empty one turns the sound on */
export const getSound = (userKey: string, configured: unknown): boolean =>
  (readStored(userKey, 'sound') ?? String(configured ?? false)) !== 'false'

export const setSound = (userKey: string, isOn: boolean): void => writeStored(userKey, 'sound', `${isOn}`)
