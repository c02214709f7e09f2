// The titles that users read: what has no title of its own is shown with the words of its id, never with the id.

const SEPARATORS = /[\s_\-./:]+/u

/** `new_comment`, `new-comment` and `newComment` become "New comment". */
function idAsWords(id: string): string {
  const words = id
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .split(SEPARATORS)
    .filter(Boolean)
    // Abbreviations keep their capitals, unless the whole id is in capitals.
    .map(word => (/\p{Ll}/u.test(id) && /^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()))
  const text = words.join(' ')
  return text === '' ? id : text.charAt(0).toUpperCase() + text.slice(1)
}

/** @param title - a type without a title has its id here */
export const shownTitle = (id: string, title: string | undefined): string =>
  title === undefined || title === id ? idAsWords(id) : title
