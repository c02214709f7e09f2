// `<notif-admin-send>`.

import { html, type TemplateResult } from 'lit'

import { AdminScreen, screenStyles } from '../view/screen.ts'

export class NotifAdminSend extends AdminScreen {
  static override styles = screenStyles()
  protected readonly pageName = 'send'

  protected override render(): TemplateResult {
    return html`<div class="wrap">
      <div class="head"><h1>Send</h1></div>
    </div>`
  }
}
