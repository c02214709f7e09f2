// The topics that the user is in, each with a button that leaves it, and that joins it again while the page is open.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../core/locale.ts'
import type { JoinedTopic } from '../protocol/index.ts'
import { repeat } from '../view/render.ts'
import type { PreferencesController } from './controller.ts'

interface TopicRow {
  readonly topic: JoinedTopic
  readonly isMember: boolean
}

/** A topic that was left keeps its place. */
function createRows(
  joined: readonly JoinedTopic[],
  left: readonly JoinedTopic[],
  lang: string
): readonly TopicRow[] {
  const { compare } = new Intl.Collator(lang, { numeric: true })
  const ids = new Set(joined.map(({ id }) => id))
  return [
    ...joined.map(topic => ({ isMember: true, topic })),
    ...left.filter(({ id }) => !ids.has(id)).map(topic => ({ isMember: false, topic }))
  ].sort((one, other) => compare(one.topic.title, other.topic.title))
}

/** @param joined - undefined from an older server */
export function renderTopics(
  controller: PreferencesController,
  joined: readonly JoinedTopic[] = []
): TemplateResult | typeof nothing {
  const { host, leftTopics, messages, refusedKey } = controller
  const rows = createRows(joined, [...leftTopics.values()], toLanguageTag(host.language.lang))
  if (rows.length === 0) return nothing
  // One button with two names, so that it keeps the focus.
  const renderRow = ({ isMember, topic }: TopicRow): TemplateResult => {
    const { id, title } = topic
    const name = isMember ? messages.leaveTopic : messages.rejoinTopic
    const change = (): void => void controller.changeTopic(topic, !isMember)
    return html`<li class="topic" part="topic" data-topic=${id}>
      <div>
        <div class="topic-name"><bdi>${title}</bdi></div>
        ${isMember ? nothing : html`<p class="type-text">${messages.leftTopic}</p>`}
        ${refusedKey === id ? html`<p class="refused" part="banner" role="alert">${messages.notSaved}</p>` : nothing}
      </div>
      <button class="btn" aria-label=${`${name}: ${title}`} @click=${change}>${name}</button>
    </li>`
  }
  return html`<div class="topics" part="topics" role="group" aria-labelledby="topics">
    <div>
      <div class="type-name" role="heading" aria-level="3" id="topics">${messages.topics}</div>
      <p class="type-text">${messages.topicsText}</p>
    </div>
    <ul>
      ${repeat(rows, ({ topic }) => topic.id, renderRow)}
    </ul>
  </div>`
}
