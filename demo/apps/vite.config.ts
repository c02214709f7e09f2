// Builds all apps at once: one page each.

import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

const APPS = ['angular', 'plain', 'react', 'solid', 'svelte', 'vue']

export default defineConfig({
  build: {
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
  root: import.meta.dirname
})
