// The key that tests encrypt secrets with.

import { createEncryption } from '../../server/environments/encryption/encryption.ts'

export const TEST_KEY = 'a key for tests, of more than 32 characters'
export const TEST_ENCRYPTION = createEncryption(TEST_KEY)
