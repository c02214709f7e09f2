// What a part of a mail weighs: base64 in lines of 76 characters, each with its break (RFC 2045, 6.8).

/** @param characters - of base64 */
export const encodedSize = (characters: number): number => characters + 2 * Math.ceil(characters / 76)

/** @param bytes - as they are, before the encoding */
export const encodedBytes = (bytes: number): number => encodedSize(4 * Math.ceil(bytes / 3))

/** The other way round: 57 bytes are a line of 78. */
export const rawBytes = (encoded: number): number => Math.max(0, Math.floor(encoded / 78) * 57)
