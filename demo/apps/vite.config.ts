// Builds all apps in one run, one page for each.

import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

const APPS = ['angular', 'plain', 'react', 'solid', 'svelte', 'vue']

export default defineConfig({
  build: {
    // The targets of the elements: `light-dark()` is not replaced, so it follows the scheme of the page.
    cssTarget: ['chrome125', 'firefox126', 'safari17.5'],
    emptyOutDir: true,
    rolldownOptions: { input: APPS.map(name => `${import.meta.dirname}/${name}/index.html`) },
    target: 'es2022'
  },
  // Tells Vue which tags are custom elements.
  plugins: [
    solid({ include: '**/solid/*.tsx' }),
    svelte(),
    vue({ template: { compilerOptions: { isCustomElement: tag => tag.startsWith('notif-') } } })
  ],
  // The package is a link, and its real folder has no Angular beside it.
  resolve: { dedupe: ['@angular/core'] },
  root: import.meta.dirname
})
