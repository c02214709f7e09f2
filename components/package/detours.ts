// Where modules are grouped into files, the bundler keeps a file for each late import() that only passes on what another
// file holds. That would cost one more request before the real one, so each import() is pointed at the target.

import type { Plugin } from 'vite'

/** All that such a file says: maybe some names, and where they are. */
const DETOUR = /^(?:import|export\{(?<names>[^}]*)\}from)"(?<target>\.\/[^"]*)";?\s*$/

/** `a as b` becomes `b:n.a`. */
const field = (name: string): string => {
  const [from, to = from] = name.split(' as ')
  return `${to}:n.${from}`
}

/** The import of the file itself, with the names that are asked for. */
function straight(target: string, names: string | undefined): string {
  const whole = `import(\`${target}\`)`
  return names ? `${whole}.then(n=>({${names.split(',').map(field).join()}}))` : whole
}

export const detours: Plugin = {
  // Names are made before this, and a file that says something else must have another one.
  augmentChunkHash: () => 'straight',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
    for (const { code, fileName, isDynamicEntry } of chunks) {
      const { names, target } = (isDynamicEntry && DETOUR.exec(code)?.groups) || {}
      if (!target) continue
      const name = fileName.slice(fileName.lastIndexOf('/') + 1)
      for (const chunk of chunks) {
        chunk.code = chunk.code.replaceAll(`import(\`./${name}\`)`, straight(target, names))
        if (chunk.code.includes(name)) throw new Error(`${chunk.fileName} imports ${name} in another way.`)
      }
      delete bundle[fileName]
    }
  },
  name: 'detours'
}
