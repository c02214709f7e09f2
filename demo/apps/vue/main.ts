// Starts the Vue app when the signed-in user is known.

import 'notif-kit/define'
import { createApp } from 'vue'

import { signIn } from '../session.ts'
import App from './App.vue'

createApp(App, { session: await signIn() }).mount('#app')
