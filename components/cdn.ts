// The file for a script tag. Its address is the one that pages know, so it holds only the way to what has a hash in its name.

import { servePage } from './page.ts'

export { configure } from './internal/configure.ts'
export { getNotifContext } from './internal/context.ts'

servePage(import.meta.url)
