// The key that tests encrypt with.

import { createEncryption } from '../../server/environments/encryption/encryption.ts'

export const TEST_KEY = 'a key for tests, of more than 32 characters'
export const SEAL = createEncryption(TEST_KEY)
