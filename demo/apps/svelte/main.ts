// Starts the Svelte app when the signed-in user is known.

import 'notif-kit/define'
import { mount } from 'svelte'

import { signIn } from '../session.ts'
import App from './App.svelte'

mount(App, { props: { session: await signIn() }, target: document.querySelector('#app')! })
