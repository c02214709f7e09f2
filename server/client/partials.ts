// Layouts and partials: what the templates of an environment share.

import type { Ask, CallOptions } from './call.ts'
import type { Instant } from './names.ts'

/** Named in templates: 1 to 100 letters, digits, dots, `_` or `-`. */
export interface PieceHead {
  readonly id: string
  readonly updatedAt: Instant
}

export interface Piece extends PieceHead {
  /** Liquid; of a layout with `{{ content_for_layout }}`. */
  readonly text: string
}

export const pieces = (ask: Ask) => ({
  listLayouts: async (options?: CallOptions): Promise<readonly PieceHead[]> => {
    const { layouts } = await ask<{ layouts: readonly PieceHead[] }>(all('layouts'), options)
    return layouts
  },

  getLayout: (id: string, options?: CallOptions): Promise<Piece> => ask(one('layouts', id), options),

  /** Makes or replaces it. A template begins with `{% layout 'id' %}`. */
  putLayout: (id: string, text: string, options?: CallOptions): Promise<Piece> =>
    ask({ ...one('layouts', id), body: { text }, method: 'PUT' }, options),

  deleteLayout: async (id: string, options?: CallOptions): Promise<void> => {
    await ask({ ...one('layouts', id), method: 'DELETE' }, options)
  },

  listPartials: async (options?: CallOptions): Promise<readonly PieceHead[]> => {
    const { partials } = await ask<{ partials: readonly PieceHead[] }>(all('partials'), options)
    return partials
  },

  getPartial: (id: string, options?: CallOptions): Promise<Piece> => ask(one('partials', id), options),

  /** Makes or replaces it. A template says `{% render 'id', name: value %}`. */
  putPartial: (id: string, text: string, options?: CallOptions): Promise<Piece> =>
    ask({ ...one('partials', id), body: { text }, method: 'PUT' }, options),

  deletePartial: async (id: string, options?: CallOptions): Promise<void> => {
    await ask({ ...one('partials', id), method: 'DELETE' }, options)
  }
})

type Kind = 'layouts' | 'partials'

const all = (kind: Kind) => ({ method: 'GET', path: [kind] }) as const
const one = (kind: Kind, id: string) => ({ method: 'GET', path: [kind, id] }) as const
