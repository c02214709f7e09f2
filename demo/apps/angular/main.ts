// Angular, zoneless: `[prop]` sets properties of elements, `(event)` listens, and signals hold the values of the store.

import '@angular/compiler'
import { Component, ElementRef, inject, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { getNotifContext, type Choice, type NotifEventMap } from 'notif-kit'
import { NOTIF_TAGS } from 'notif-kit/angular'
import 'notif-kit/define'
import type { NotifStore } from 'notif-kit/store'

import { inApp, setInApp } from '../in-app.ts'
import { setDark, signIn } from '../session.ts'

const session = await signIn()

@Component({
  imports: [NOTIF_TAGS],
  selector: '#app',
  template: `
    <notif-provider
      [apiUrl]="session.apiUrl"
      [clientId]="session.clientId"
      [userId]="session.userId"
      [userHash]="session.userHash"
      [lang]="lang()"
    >
      <header>
        <h1>Angular</h1>
        <notif-counter show-zero></notif-counter>
        <notif-popup popover-position="bottom right" (notif-select)="choose($event)"></notif-popup>
      </header>
      @if (store(); as store) {
        <p>
          <output>{{ unseen() }}</output> new
          <button (click)="store.markAsArchived('ALL')">Empty the inbox</button>
        </p>
        @for (choice of choices(); track choice.notificationId) {
          <label>
            <input
              #box
              type="checkbox"
              [checked]="choice.delivery !== 'off'"
              (change)="setInApp(store, choice.notificationId, box.checked)"
            />
            {{ choice.notificationId }} in the app
          </label>
        }
      }
      <p>Last chosen: {{ last() }}</p>
      <label>
        Language
        <select #languages (change)="lang.set(languages.value)">
          <option>en</option>
          <option>de</option>
        </select>
      </label>
      <label><input #dark type="checkbox" (change)="setDark(dark.checked)" /> Dark</label>
    </notif-provider>
  `
})
class App {
  readonly session = session
  readonly setDark = setDark
  readonly setInApp = setInApp
  readonly lang = signal('en')
  readonly last = signal('')
  readonly store = signal<NotifStore | undefined>(undefined)
  readonly unseen = signal(0)
  readonly choices = signal<readonly Choice[]>([])
  readonly #place = inject<ElementRef<HTMLElement>>(ElementRef)

  async ngAfterViewInit(): Promise<void> {
    const store = await getNotifContext(this.#place.nativeElement.querySelector('header')!)
    this.store.set(store)
    store.$unseen.subscribe(count => this.unseen.set(count))
    store.$preferences.subscribe(state => this.choices.set(inApp(state)))
  }

  choose(event: NotifEventMap['notif-select']): void {
    event.preventDefault()
    this.last.set(event.detail.item.title)
  }
}

await bootstrapApplication(App)
