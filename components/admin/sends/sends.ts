// `<notif-admin-sends>`.

import { html, type TemplateResult } from 'lit'

import { AdminScreen, screenStyles } from '../view/screen.ts'

export class NotifAdminSends extends AdminScreen {
  static override styles = screenStyles()
  protected readonly pageName = 'sends'

  protected override render(): TemplateResult {
    return html`<div class="wrap">
      <div class="head"><h1>Sends</h1></div>
    </div>`
  }
}
