// Address of the server that served the script, for elements that name none.

let home = ''

/** @param script - address of the script. A proxy may give the server only a path of its host. */
export function setHome(script: string): void {
  home = new URL('.', script).href.replace(/\/$/, '')
}

/** @returns the address without a slash at its end */
export const getHome = (): string => home
