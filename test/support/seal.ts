// The key that tests encrypt with.

import { makeSeal } from '../../server/environments/encryption/encryption.ts'

export const TEST_KEY = 'a key for tests, of more than 32 characters'
export const SEAL = makeSeal(TEST_KEY)
