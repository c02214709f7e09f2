// Starts the Vue app once it is known who is signed in.

import 'notif-kit/define'
import { createApp } from 'vue'

import { signIn } from '../session.ts'
import App from './App.vue'

createApp(App, { session: await signIn() }).mount('#app')
