// Four figures: sends a minute with the last hour as a chart, delivered, open pages, database.

import { html, nothing, type TemplateResult } from 'lit'

import type { EnvironmentStatus } from '../api/status.ts'
import { renderAreaChart } from '../view/chart.ts'
import { formatBytes, formatPercent } from '../view/number.ts'
import { formatClock } from '../view/time.ts'
import { nowWords } from '../words/now.ts'

const text = nowWords.figures

/** Marks below the chart, from its start to its end. */
const AXIS_MARKS = 5

/** The last minute may not be complete. */
const lastMinute = ({ minutes }: EnvironmentStatus): number => minutes.at(-1)?.sent ?? 0

function renderAxis({ minutes }: EnvironmentStatus): TemplateResult | typeof nothing {
  if (minutes.length === 0) return nothing
  const step = (minutes.length - 1) / (AXIS_MARKS - 1)
  const marks = Array.from({ length: AXIS_MARKS }, (_, index) => minutes[Math.round(index * step)]!)
  return html`<div class="axis" aria-hidden="true">
    ${marks.map(({ at }) => html`<span>${formatClock(at)}</span>`)}
  </div>`
}

export function renderFigures(status: EnvironmentStatus): TemplateResult {
  const { database, lastHour, minutes, nodes, sockets, usual } = status
  const perMinute = lastMinute(status)
  const tried = lastHour.sent + lastHour.failed
  return html`<dl class="figures">
    <div class="figure wide">
      <dt>${text.perMinute}</dt>
      <dd>
        <span class="figure-number">${perMinute.toLocaleString('en')}</span
        ><span class="help">${text.usual(perMinute, usual?.sentPerMinute)}</span>
      </dd>
      <dd class="over-time">
        ${renderAreaChart(
          minutes.map(({ sent }) => sent),
          minutes.map(({ failed }) => failed),
          text.chart(lastHour.sent, lastHour.failed)
        )}${renderAxis(status)}
      </dd>
    </div>
    <div class="figure">
      <dt>${text.delivered}</dt>
      <dd>
        <span class="figure-number">${formatPercent(lastHour.sent, tried)}</span
        ><span class="help">${text.taken(lastHour.sent, lastHour.failed)}</span>
      </dd>
    </div>
    <div class="figure">
      <dt>${text.sockets}</dt>
      <dd>
        <span class="figure-number">${sockets.toLocaleString('en')}</span
        ><span class="help">${text.nodes(nodes.length)}</span>
      </dd>
    </div>
    <div class="figure">
      <dt>${text.database}</dt>
      <dd>
        <span class="figure-number">${formatBytes(database.sizeBytes)}</span
        ><span class="help">${text.databaseStates[database.state]}</span>
      </dd>
    </div>
  </dl>`
}
