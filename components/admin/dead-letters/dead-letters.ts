// `<notif-admin-dead-letters>`.

import { html, type TemplateResult } from 'lit'

import { AdminScreen, screenStyles } from '../view/screen.ts'

export class NotifAdminDeadLetters extends AdminScreen {
  static override styles = screenStyles()
  protected readonly pageName = 'dead-letters'

  protected override render(): TemplateResult {
    return html`<div class="wrap">
      <div class="head"><h1>DeadLetters</h1></div>
    </div>`
  }
}
