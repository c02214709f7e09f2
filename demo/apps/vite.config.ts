// Builds all apps at once: one page each.

import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

const APPS = ['angular', 'plain', 'react', 'solid', 'svelte', 'vue']

export default defineConfig({
  build: {
    // As the kit itself: `light-dark()` stays and follows the scheme that a page sets.
    cssTarget: ['chrome125', 'firefox126', 'safari17.5'],
    emptyOutDir: true,
    rolldownOptions: { input: APPS.map(name => `${import.meta.dirname}/${name}/index.html`) },
    target: 'es2022'
  },
  // Tags of ours are no components of theirs.
  plugins: [
    solid({ include: '**/solid/*.tsx' }),
    svelte(),
    vue({ template: { compilerOptions: { isCustomElement: tag => tag.startsWith('notif-') } } })
  ],
  // The package is a link here, and from where it lies there is no Angular.
  resolve: { dedupe: ['@angular/core'] },
  root: import.meta.dirname
})
