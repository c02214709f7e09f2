// Converts names of properties into names of attributes and CSS properties. Apart, because the build of the package uses it, too.

/** `pageSize` becomes `page-size`. */
export const toKebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
