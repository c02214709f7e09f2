// No framework: tags in HTML, properties and events through the DOM.

import { getNotifContext } from 'notif-kit'
import 'notif-kit/define'

import { inApp, setInApp } from '../in-app.ts'
import { setDark, signIn } from '../session.ts'

const app = document.querySelector<HTMLElement>('#app')!
app.innerHTML = `<notif-provider lang="en">
  <header>
    <h1>Plain</h1>
    <notif-counter show-zero></notif-counter>
    <notif-popup popover-position="bottom right"></notif-popup>
  </header>
  <p><output></output> new <button type="button">Empty the inbox</button></p>
  <div></div>
  <p>Last chosen: <span></span></p>
  <label>Language <select><option>en</option><option>de</option></select></label>
  <label><input type="checkbox"> Dark</label>
</notif-provider>`

const find = <E extends Element>(selector: string): E => app.querySelector<E>(selector)!
const provider = find<HTMLElementTagNameMap['notif-provider']>('notif-provider')

find('select').addEventListener('change', ({ target }) => {
  provider.lang = (target as HTMLSelectElement).value
})
find('input').addEventListener('change', ({ target }) => setDark((target as HTMLInputElement).checked))
find<HTMLElementTagNameMap['notif-popup']>('notif-popup').addEventListener('notif-select', event => {
  event.preventDefault()
  find('span').textContent = event.detail.item.title
})

Object.assign(provider, await signIn())
const store = await getNotifContext(find('header'))
store.$unseen.subscribe(count => {
  find('output').textContent = String(count)
})
find('button').addEventListener('click', () => void store.markAsArchived('ALL'))
store.$preferences.subscribe(state => {
  find('div').replaceChildren(
    ...inApp(state).map(({ delivery, notificationId: type }) => {
      const box = Object.assign(document.createElement('input'), {
        checked: delivery !== 'off',
        type: 'checkbox'
      })
      box.addEventListener('change', () => void setInApp(store, type, box.checked))
      const label = document.createElement('label')
      label.append(box, ` ${type} in the app`)
      return label
    })
  )
})
