// Builds what the server hands to browsers: the script of the kit, and with it the demo page.
//
// One build, so that the page and the script that it loads share every chunk, as two elements of one page do.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { build, defineConfig, type Plugin } from 'vite'

import { detours } from './components/package/detours.ts'
import { release } from './components/package/script.ts'
import { slim } from './components/package/slim.ts'

/** What the kit needs anyway. Older targets have `light-dark()` written out, which then follows no scheme that a script sets. */
const STYLES = ['chrome125', 'firefox126', 'safari17.5']

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

/** The page of all states imports what no site does. Built together it would move the kit's chunks about, so it is built apart. */
const statesPage: Plugin = {
  closeBundle: async () => {
    await build({
      build: {
        cssTarget: STYLES,
        emptyOutDir: false,
        modulePreload: false,
        outDir: 'dist',
        rolldownOptions: {
          input: 'demo/states.html',
          output: {
            assetFileNames: 'assets/[name]-[hash][extname]',
            chunkFileNames: 'assets/states/[name]-[hash].js',
            entryFileNames: 'assets/states/[name]-[hash].js'
          }
        },
        target: 'es2022'
      },
      configFile: false,
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
      publicDir: false
    })
  },
  name: 'states-page'
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

/** What every element needs, the bell and the counter: it comes first, in one file. The rest is cut where something is imported late. */
const KIT =
  /decorate\.js|node_modules\/(@lit\/(reactive|context\/.*(create|event)))|inbox\/inbox-element|internal\/(ask|attempt|badge|bell|check|config|define|load-store|locale|make|news|open-store|own-words|param|scope|sizes|store-controller|tag|tokens)|components\/(page|style-sheets)|counter\/counter|launcher\/launcher|popup\/popup|store\/(cell|head|late-\w+|line|listeners|news|presence)|transport\/(late|ready|time|transport)|messages\/(bell|count|plural)/

/** The connection, in a file of its own so that its weight is seen. */
const LIVE =
  /components\/(protocol\/(check|frame)|transport\/(?!http|kept|late|lazy|ready|time|transport|web-))|node_modules\/partysocket/

/** What inbox and preferences both need. In a file of its own it is there once, and a page with one of them loads no more. */
const WORDS =
  /internal\/(blank|button|controls|draw|emit|frame|icons|range|states|view)|messages\/(en|preference\.en)|node_modules\/lit/

/** Preferences as data, for pages that show them in their own way as well. */
const CHOICES = /protocol\/(channel|preferences)|store\/(choices|preferences)/

/** The inbox with its panel: a bell that is opened waits for one file less, and a feed alone hardly feels the panel. */
const INBOX = /components\/(inbox|internal|popup)\/(?!context|mistake|opt-in|sound)/

/** Preferences as people see them, in the page or in a dialog. */
const CENTRE = /components\/preferences[^/]*\/(?!define)/

export default defineConfig({
  base: '/',
  build: {
    chunkSizeWarningLimit: 50,
    cssTarget: STYLES,
    emptyOutDir: true,
    // Chunks are small and few: a list of preloads would cost more than it saves.
    modulePreload: false,
    outDir: 'dist',
    rolldownOptions: {
      // On a slow machine `npm start` would begin with a lecture about the build.
      checks: { bundlerTimings: false },
      input: {
        demo: 'demo/index.html',
        'demo-strict': 'demo/strict.html',
        'demo-theming': 'demo/theming.html',
        notif: 'components/cdn.ts',
        'notif-service-worker': 'service-worker/index.ts'
      },
      output: {
        codeSplitting: {
          // What two of them need is in neither, so that neither brings the other.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'preload', priority: 9, test: /preload-helper/ },
            { name: 'kit', priority: 3, test: KIT },
            { name: 'connection', priority: 2, test: LIVE },
            { name: 'words', priority: 1, test: WORDS },
            { name: 'herald', priority: 1, test: /internal\/(announcer|herald)/ },
            { name: 'choices', priority: 1, test: CHOICES },
            { name: 'preference', priority: 1, test: CENTRE },
            { name: 'inbox', test: INBOX }
          ]
        },
        assetFileNames: 'assets/[name]-[hash][extname]',
        chunkFileNames: 'assets/[name]-[hash].js',
        // The addresses that pages know, so they have no hash.
        entryFileNames: ({ name }) => (name.startsWith('notif') ? '[name].js' : 'assets/[name]-[hash].js')
      },
      // People import the headless half from the script as well.
      preserveEntrySignatures: 'allow-extension',
      // partysocket explains at length what other runtimes lack. Ours never says more than a warning.
      treeshake: { manualPureFunctions: ['console.error'] }
    },
    target: 'es2022'
  },
  define: {
    // Every browser says so, and partysocket brings other code for those that are none.
    'navigator.product': '"Gecko"',
    'process.versions': 'undefined'
  },
  plugins: [...slim, detours, vendorName, release, compressed, statesPage],
  publicDir: 'demo/public'
})
