// Renders what an item has beside its texts.

import { html, nothing } from 'lit/html.js'

import { addEnglish } from '../../../core/locale.ts'
import { itemMessages } from '../../../messages/item.en.ts'
import { adoptStyles } from '../../../view/render.ts'
import type { ExtrasView, ItemView } from '../../base/inbox-view.ts'
import { answers } from './answers.styles.ts'
import { findAnswer, renderAnswer, renderButtons } from './buttons.ts'
import { renderCrowd, renderPicture } from './people.ts'
import { pictures } from './pictures.styles.ts'
import { renderProgress } from './progress.ts'
import { renderField, renderReplyButton, renderSaid } from './reply.ts'
import { createRowStates } from './row-state.ts'
import { renderCameBack, renderWakeTime } from './snoozes.ts'

export function createExtras(inbox: ItemView): ExtrasView {
  adoptStyles(inbox.host, pictures, answers)
  addEnglish(itemMessages)
  const states = createRowStates(inbox)
  return {
    get revision() {
      return states.revision
    },
    renderBelow(item) {
      const { actions, replies, reply } = item
      const said = reply && replies?.at(-1)
      const answer = findAnswer(states, item)
      const { isReplying } = states.get(item.id)
      const canReply = reply && !said
      const button = canReply && !isReplying ? renderReplyButton(inbox, states, item) : nothing
      return html`<div class="below">
        ${renderCrowd(inbox, item)}${renderProgress(inbox, item)}${
          answer ? renderAnswer(inbox, item, answer) : nothing
        }${
          (actions && !answer) || button !== nothing
            ? renderButtons(inbox, states, answer ? { ...item, actions: [] } : item, button)
            : nothing
        }${canReply && isReplying ? renderField(inbox, states, item) : nothing}${
          said ? renderSaid(inbox, said.message) : nothing
        }
      </div>`
    },
    renderNote: (item, id) => renderCameBack(inbox, item, id),
    renderPicture: (item, avatar) => renderPicture(inbox, item, avatar),
    renderTime: item => renderWakeTime(inbox, item)
  }
}
