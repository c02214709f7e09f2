// Replaces chunks that only re-export another chunk. The bundler creates one for each dynamic import() of a grouped module, which
// costs a request before the real one, so each import() gets the target instead.

import type { Plugin } from 'vite'

/** The whole content of such a chunk. */
const DETOUR = /^(?:import|export\{(?<names>[^}]*)\}from)"(?<target>\.\/[^"]*)";?\s*$/

/** `a as b` becomes `b:n.a`. */
const field = (name: string): string => {
  const [from, to = from] = name.split(' as ')
  return `${to}:n.${from}`
}

/** Imports the target, with the names that the module exported. */
function importTarget(target: string, names: string | undefined): string {
  const whole = `import(\`${target}\`)`
  return names ? `${whole}.then(n=>({${names.split(',').map(field).join()}}))` : whole
}

export const detours: Plugin = {
  // File names are computed before this, and a changed file needs another name.
  augmentChunkHash: () => 'straight',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
    for (const { code, fileName, isDynamicEntry } of chunks) {
      const { names, target } = (isDynamicEntry && DETOUR.exec(code)?.groups) || {}
      if (!target) continue
      const name = fileName.slice(fileName.lastIndexOf('/') + 1)
      for (const chunk of chunks) {
        chunk.code = chunk.code.replaceAll(`import(\`./${name}\`)`, importTarget(target, names))
        if (chunk.code.includes(name)) throw new Error(`${chunk.fileName} imports ${name} in another way.`)
      }
      delete bundle[fileName]
    }
  },
  name: 'detours'
}
