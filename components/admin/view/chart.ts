// Charts in ink: an area over time, whose refused part is red, and a small one for rows.

import { html, nothing, svg, type TemplateResult } from 'lit'

const HEIGHT = 72
const WIDTH = 288
const SPARK_WIDTH = 132
const SPARK_HEIGHT = 28
/** Space above the highest point. */
const HEAD = 4

const round = (value: number): number => Math.round(value * 10) / 10

/** A line through values from left to right, the highest at the top. */
function toLine(values: readonly number[], width: number, height: number, max: number): string {
  const step = width / Math.max(1, values.length - 1)
  const points = values.map((value, index) => {
    const y = height - 1 - (value / max) * (height - 1 - HEAD)
    return `${round(index * step)} ${round(y)}`
  })
  return `M${points.join('L')}`
}

const maxOf = (values: readonly number[]): number => Math.max(1, ...values)

/** @param label - the chart as one sentence */
export function renderAreaChart(
  values: readonly number[],
  refused: readonly number[],
  label: string
): TemplateResult {
  const max = maxOf(values)
  const line = toLine(values, WIDTH, HEIGHT, max)
  const step = WIDTH / Math.max(1, values.length)
  return html`<svg
    class="chart"
    role="img"
    aria-label=${label}
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
  >
    <path class="area" d="${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z" />
    <path class="line" d=${line} />
    ${refused.map((count, index) => {
      if (count === 0) return nothing
      const height = Math.max(3, (count / max) * (HEIGHT - HEAD))
      return svg`<rect class="refused" x=${round(index * step)} y=${round(HEIGHT - height)} width=${round(step * 0.7)} height=${round(height)} />`
    })}
    <path class="base" d="M0 ${HEIGHT - 0.5}H${WIDTH}" />
  </svg>`
}

/** Beside figures that say the same, so it is hidden from screen readers. Without values it is a dotted line. */
export function renderSpark(values: readonly number[] | undefined): TemplateResult {
  const isFlat = !values || values.length < 2
  const line = isFlat
    ? `M0 ${SPARK_HEIGHT - 1.5}H${SPARK_WIDTH}`
    : toLine(values, SPARK_WIDTH, SPARK_HEIGHT, maxOf(values))
  return html`<svg
    class="spark"
    aria-hidden="true"
    viewBox="0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}"
    preserveAspectRatio="none"
  >
    ${
      isFlat
        ? svg`<path class="flat" d=${line} />`
        : svg`<path class="area" d="${line}L${SPARK_WIDTH} ${SPARK_HEIGHT}L0 ${SPARK_HEIGHT}Z" /><path class="line" d=${line} />`
    }
  </svg>`
}
