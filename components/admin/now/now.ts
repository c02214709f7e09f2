// `<notif-admin-now>`.

import { html, type TemplateResult } from 'lit'

import { AdminScreen, screenStyles } from '../view/screen.ts'

export class NotifAdminNow extends AdminScreen {
  static override styles = screenStyles()
  protected readonly pageName = 'now'

  protected override render(): TemplateResult {
    return html`<div class="wrap">
      <div class="head"><h1>Now</h1></div>
    </div>`
  }
}
