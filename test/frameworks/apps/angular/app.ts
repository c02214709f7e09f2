// What Angular compiles ahead of time with strict templates, and a page then runs.

import '@angular/compiler' // links the libraries, which is what a build of Angular's own does
import { Component, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import type { KitConfig, Notif, NotifEventMap } from 'notif-kit'
import { NOTIF_TAGS } from 'notif-kit/angular'
import 'notif-kit/define'

declare const session: KitConfig

@Component({ imports: [NOTIF_TAGS], selector: '#app', templateUrl: './app.html' })
class App {
  readonly session = session
  readonly heard = signal(0)
  readonly last = signal('none')
  readonly shown = signal(true)
  readonly filter = ({ title }: Notif): boolean => title !== 'Hidden'
  readonly draw = ({ title }: Notif): string => `» ${title}`

  choose(event: NotifEventMap['notif-select']): void {
    event.preventDefault()
    this.last.set(event.detail.item.title)
  }
}

await bootstrapApplication(App)
