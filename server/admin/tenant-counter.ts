// Counts by environment and notification type, with a bounded number of series.
//
// The first environments and types after a start get series of their own, and the rest share the label `other`. Not the busiest ones:
// to find them, all would have to be counted, and a series that moved to `other` and back would break rates. A busy one is seen early.

import { Counter, type Registry } from 'prom-client'

const MAX_ENVIRONMENTS = 200
/** Of all environments. */
const MAX_TYPES = 1000
/** Leaves room for the types of other environments. */
const MAX_TYPES_PER_ENVIRONMENT = 100

const OTHER = 'other'

/** Chooses the labels of environments and types, for all counters of a process. */
export class TenantLabels {
  readonly #types = new Map<string, Set<string>>()
  #typeCount = 0

  /** @param typeId - undefined for a counter without types */
  choose(
    envId: string,
    typeId: string | undefined
  ): readonly [environment: string, type: string | undefined] {
    let types = this.#types.get(envId)
    if (types === undefined) {
      if (this.#types.size >= MAX_ENVIRONMENTS) return [OTHER, typeId === undefined ? undefined : OTHER]
      this.#types.set(envId, (types = new Set()))
    }
    if (typeId === undefined || types.has(typeId)) return [envId, typeId]
    if (types.size >= MAX_TYPES_PER_ENVIRONMENT || this.#typeCount >= MAX_TYPES) return [envId, OTHER]
    types.add(typeId)
    this.#typeCount += 1
    return [envId, typeId]
  }
}

interface Cell {
  readonly labels: Readonly<Record<string, string>>
  count: number
}

export interface TenantCounterOptions {
  readonly name: string
  readonly help: string
  /** Name of the last label, whose values are few and fixed. */
  readonly label: string
  readonly hasType: boolean
  /** Value of the last label that is exported as 0 before its first count, because `increase()` needs an earlier value. */
  readonly zero?: string
  readonly registry: Registry
}

export class TenantCounter {
  /** By environment, type and the last label, so that a count costs one look-up, unless it belongs to `other`. */
  readonly #cells = new Map<string, Cell>()
  readonly #tenants: TenantLabels
  readonly #options: TenantCounterOptions

  constructor(tenants: TenantLabels, options: TenantCounterOptions) {
    this.#tenants = tenants
    this.#options = options
    const { hasType, help, label, name, registry } = options
    const cells = this.#cells
    const counter = new Counter({
      collect() {
        this.reset()
        for (const { count, labels } of cells.values()) this.inc(labels, count)
      },
      help,
      labelNames: ['environment', ...(hasType ? ['type'] : []), label],
      name,
      registers: []
    })
    registry.registerMetric(counter)
  }

  /**
   * Counts one. The caller has checked that environment and type exist.
   *
   * @param typeId - undefined for a counter without types
   */
  add(envId: string, typeId: string | undefined, value: string): void {
    const cell = this.#cells.get(cellKey(envId, typeId, value)) ?? this.#open(envId, typeId, value)
    cell.count += 1
  }

  #open(envId: string, typeId: string | undefined, value: string): Cell {
    const [environment, type] = this.#tenants.choose(envId, typeId)
    const { label, zero } = this.#options
    if (zero !== undefined && zero !== value) this.#openCell(environment, type, label, zero)
    return this.#openCell(environment, type, label, value)
  }

  #openCell(environment: string, type: string | undefined, label: string, value: string): Cell {
    const key = cellKey(environment, type, value)
    const existing = this.#cells.get(key)
    if (existing) return existing
    const labels = { environment, ...(type !== undefined && { type }), [label]: value }
    const cell = { count: 0, labels }
    this.#cells.set(key, cell)
    return cell
  }
}

/** No id contains NUL. */
const cellKey = (envId: string, typeId = '', value: string): string => `${envId}\0${typeId}\0${value}`
