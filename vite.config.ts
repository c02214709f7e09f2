// Builds what the server hands to browsers: the script of the kit, and with it the demo page; apart from them, the dashboard.
//
// One build, so that the page and the script that it loads share every chunk, as two elements of one page do.

import { writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { build, defineConfig, normalizePath, type BuildOptions, type Plugin } from 'vite'

import { detours } from './components/package/detours.ts'
import { release } from './components/package/script.ts'
import { slim } from './components/package/slim.ts'
import { pathOf, renderNavigation } from './demo/site-bar.ts'

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

/** The pages of the demo have one navigation. */
const navigation: Plugin = {
  name: 'navigation',
  transformIndexHtml: (html, { filename }) =>
    html.replace('<!-- navigation -->', renderNavigation(pathOf(basename(filename, '.html'))))
}

let outDir: string

/** Builds what imports other things than sites do. Built together it would move the kit's chunks about. */
const buildApart = (rolldownOptions: BuildOptions['rolldownOptions'], plugins: readonly Plugin[] = []) =>
  build({
    build: {
      cssTarget: STYLES,
      emptyOutDir: false,
      modulePreload: false,
      outDir,
      rolldownOptions,
      target: 'es2022'
    },
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    plugins: [...plugins],
    publicDir: false
  })

/** What only the editor of templates needs. */
const EDITOR = /node_modules\/(?:@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)\//

/** The dashboard: its script only imports chunks, which have a hash in their name. A screen is a chunk. */
const buildAdmin = () =>
  buildApart(
    {
      input: { 'notif-admin': 'components/admin/shell/index.ts' },
      output: {
        chunkFileNames: 'assets/admin/[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'preload', test: /preload-helper/ },
            {
              name: 'shell',
              test: (id: string) =>
                /node_modules|\/components\/(?:core|view)\/|\/admin\/(?:api\/|shell\/|view\/|words\.ts)/.test(
                  normalizePath(id)
                ) &&
                !EDITOR.test(normalizePath(id)) &&
                !id.endsWith('shell/index.ts')
            }
          ]
        },
        entryFileNames: '[name].js'
      }
    },
    [...slim, detours, compressed]
  )

const buildStatesPage = () =>
  buildApart(
    {
      input: 'demo/states.html',
      output: {
        assetFileNames: 'assets/[name]-[hash][extname]',
        chunkFileNames: 'assets/states/[name]-[hash].js',
        entryFileNames: 'assets/states/[name]-[hash].js'
      }
    },
    [...slim, navigation, compressed]
  )

const apart: Plugin = {
  closeBundle: async () => {
    await buildAdmin()
    await buildStatesPage()
  },
  configResolved: config => void ({ outDir } = config.build),
  name: 'apart'
}

const INPUT = {
  demo: 'demo/index.html',
  'demo-strict': 'demo/strict.html',
  'demo-theming': 'demo/theming.html',
  notif: 'components/cdn.ts',
  'notif-service-worker': 'service-worker/index.ts'
}

/** An entry keeps the address that pages know, so it is in no chunk. */
const ENTRIES: readonly string[] = Object.values(INPUT)

/**
 * A chunk for folders of the kit, without what is below them: a folder without a chunk is cut where something imports it late.
 *
 * Whatever the files of a chunk import at once is in it as well, unless a chunk above it in the list has that already.
 */
const chunk = (
  name: string,
  ...folders: readonly string[]
): { name: string; test: (id: string) => boolean } => ({
  name,
  test(id) {
    const path = normalizePath(relative(import.meta.dirname, id))
    return !ENTRIES.includes(path) && folders.includes(dirname(path))
  }
})

/** In the order in which a page loads them. */
const CHUNKS = [
  { name: 'preload', test: /preload-helper/ },
  chunk(
    'core',
    'components',
    'components/core',
    'components/counter',
    'components/launcher',
    'components/popup'
  ),
  chunk('live', 'components/live', 'components/store'),
  chunk('announce', 'components/announce'),
  chunk('outbox', 'components/store/outbox', 'components/store/offline'),
  chunk('inbox-store', 'components/store/inbox'),
  // Whether the connection's code comes or not, the preferences say what is so: what they need of the protocol is apart.
  chunk('protocol', 'components/protocol'),
  chunk('preferences-store', 'components/store/preferences'),
  // Toasts show items too. In a chunk of their own, they would cost the first opening a round trip.
  chunk('view', 'components/view', 'components/inbox/item'),
  chunk('preferences', 'components/preferences', 'components/preferences-popup'),
  chunk('inbox', 'components/inbox', 'components/inbox/panel')
]

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
      input: INPUT,
      output: {
        codeSplitting: {
          groups: CHUNKS
        },
        assetFileNames: 'assets/[name]-[hash][extname]',
        chunkFileNames: 'assets/[name]-[hash].js',
        // The addresses that pages know, so they have no hash.
        entryFileNames: ({ name }) => (name.startsWith('notif') ? '[name].js' : 'assets/[name]-[hash].js')
      },
      // People import the headless half from the script as well.
      preserveEntrySignatures: 'allow-extension'
    },
    target: 'es2022'
  },
  plugins: [...slim, detours, navigation, vendorName, release, compressed, apart],
  publicDir: 'demo/public'
})
