// Builds what the server hands to browsers: the script of the kit, and with it the demo page.
//
// One build, so that the page and the script that it loads share every chunk, as two elements of one page do.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { defineConfig, type Plugin } from 'vite'

/** Templates and styles are indented for people; browsers need none of it. */
function squeeze(): Plugin {
  const literal = /\b(css|html)`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*)`/g
  const style = (text: string): string =>
    text
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,]) ?/g, '$1')
      .replaceAll(': ', ':')
      .replaceAll(/\( /g, '(')
      .replaceAll(' )', ')')
      .replaceAll(';}', '}')
      .trim()
  // Between two tags the indentation is nothing, within one it separates attributes.
  const markup = (text: string): string =>
    text.replaceAll(/(.?)\s*\n\s*(?=(.))/g, (_, before: string, after: string) =>
      /[>}`]/.test(before) && /[<$`]/.test(after) ? before : `${before} `
    )
  return {
    enforce: 'pre',
    name: 'squeeze-templates',
    transform: (code, id) =>
      /\/components\/.*\.ts$/.test(id)
        ? {
            code: code.replaceAll(literal, (whole, tag: string, text: string) =>
              tag === 'css' ? `css\`${style(text)}\`` : markup(whole)
            ),
            map: null
          }
        : null
  }
}

/** Vite wraps every import() to preload what it needs. We preload nothing, so the wrapper is only weight. */
const plainImports: Plugin = {
  enforce: 'pre',
  load: id => (id.includes('vite/preload-helper') ? 'export const __vitePreload = load => load()' : null),
  name: 'plain-imports'
}

/** A site that moves here need not change the address of its worker. */
const vendorName: Plugin = {
  generateBundle(_, bundle) {
    const worker = bundle['notif-service-worker.js']
    if (worker?.type !== 'chunk') throw new Error('The worker must be one file.')
    this.emitFile({
      fileName: 'notificationapi-service-worker.js',
      source: worker.code,
      type: 'asset'
    })
  },
  name: 'vendor-name'
}

/** Beside each script and style its compressed forms, which the server hands out as they are. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir }, bundle) {
    for (const [name, output] of Object.entries(bundle)) {
      if (!/\.(?:js|css)$/.test(name)) continue
      const content = output.type === 'chunk' ? output.code : output.source
      writeFileSync(join(dir!, `${name}.br`), brotliCompressSync(content))
      writeFileSync(join(dir!, `${name}.gz`), gzipSync(content, { level: 9 }))
    }
  }
}

/** What every element needs: it comes first, in one file. */
const KIT =
  /node_modules\/(@lit\/|lit(-html|-element)?\/(?!.*directive))|internal\/(badge|bell|check|config|context|define|emit|inbox-element|locale|news|painted|param|scope|sizes|store-controller|tag|tokens)|messages\/(badge|plural|index)/
/** Enough of the store for a badge. */
const STORE =
  /components\/(internal\/connect|store\/(head|late-store|line|news|presence)|transport\/(browser|late|lazy|transport))|node_modules\/nanostores\/(atom|clean-stores|lifecycle)/
/** The connection, and what asks and acts. */
const LIVE =
  /components\/(protocol\/(check|frame)|transport\/(live|open|share|socket))|node_modules\/partysocket/
const ITEMS = /components\/(protocol|store|transport\/http)|node_modules\/nanostores/
/** What is needed only where a list of notifications is. */
const INBOX =
  /node_modules\/lit-html\/.*directive|messages\/en|internal\/(clock|endless|controls|focus|formats|icons|inbox|item|keyboard|light|list|pager|panel|position|range|rows|safe|seen|states)/

export default defineConfig({
  base: '/',
  build: {
    chunkSizeWarningLimit: 50,
    emptyOutDir: true,
    // Chunks are small and few: a list of preloads would cost more than it saves.
    modulePreload: false,
    outDir: 'dist',
    rolldownOptions: {
      input: {
        demo: 'demo/index.html',
        notif: 'components/cdn.ts',
        'notif-service-worker': 'service-worker/index.ts'
      },
      output: {
        // Few requests: what every element needs, the store, the inbox; the rest is small.
        codeSplitting: {
          groups: [
            { name: 'kit', priority: 3, test: KIT },
            { name: 'store', priority: 3, test: STORE },
            { name: 'open', priority: 3, test: LIVE },
            { name: 'items', priority: 2, test: ITEMS },
            { name: 'inbox', priority: 1, test: INBOX }
          ]
        },
        assetFileNames: 'assets/[name]-[hash][extname]',
        chunkFileNames: 'assets/[name]-[hash].js',
        // The addresses that pages know, so they have no hash.
        entryFileNames: ({ name }) => (name.startsWith('notif') ? '[name].js' : 'assets/[name]-[hash].js')
      },
      // People import the headless half from the script as well.
      preserveEntrySignatures: 'strict'
    },
    target: 'es2022'
  },
  // nanostores asks for it, and a browser has no `process`.
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [squeeze(), plainImports, vendorName, compressed],
  publicDir: 'demo/public'
})
