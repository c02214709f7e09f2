// Names of attributes and CSS properties from names of properties; also used by the build, which knows no DOM.

/** `pageSize` becomes `page-size`. */
export const toKebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
