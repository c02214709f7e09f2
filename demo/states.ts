// Shows every element in every state, each with its own in-memory inbox. With `?state=`, the page is the window of one state. Tests look
// at this page in every language and scheme.

import '../components/all.ts'
import { dressPage } from './dress-page.ts'
import { drawGallery } from './states/gallery.ts'
import { findState } from './states/groups.ts'
import { drawWindow } from './states/window.ts'

const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!

dressPage()
const id = new URLSearchParams(location.search).get('state')
if (id === null) drawGallery(find('[data-gallery]'), find('.groups ul'))
else {
  document.documentElement.classList.add('window')
  const state = findState(id)
  if (state) void drawWindow(find('main'), state)
}
