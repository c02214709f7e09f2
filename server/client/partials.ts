// Layouts and partials, which the templates of an environment share.

import type { Call, CallOptions } from './call.ts'
import type { Instant } from './names.ts'

/** A layout or partial without its text. */
export interface TemplatePartialHead {
  /** Name in templates: 1 to 100 letters, digits, dots, `_` or `-`. */
  readonly id: string
  readonly updatedAt: Instant
}

/** A layout or partial. */
export interface TemplatePartial extends TemplatePartialHead {
  /** Liquid template; a layout contains `{{ content_for_layout }}`. */
  readonly text: string
}

export const partialCalls = (call: Call) => ({
  listLayouts: async (options?: CallOptions): Promise<readonly TemplatePartialHead[]> => {
    const { layouts } = await call<{ layouts: readonly TemplatePartialHead[] }>(all('layouts'), options)
    return layouts
  },

  getLayout: (id: string, options?: CallOptions): Promise<TemplatePartial> =>
    call(one('layouts', id), options),

  /** Creates or replaces a layout. A template that uses it begins with `{% layout 'id' %}`. */
  putLayout: (id: string, text: string, options?: CallOptions): Promise<TemplatePartial> =>
    call({ ...one('layouts', id), body: { text }, method: 'PUT' }, options),

  deleteLayout: async (id: string, options?: CallOptions): Promise<void> => {
    await call({ ...one('layouts', id), method: 'DELETE' }, options)
  },

  listPartials: async (options?: CallOptions): Promise<readonly TemplatePartialHead[]> => {
    const { partials } = await call<{ partials: readonly TemplatePartialHead[] }>(all('partials'), options)
    return partials
  },

  getPartial: (id: string, options?: CallOptions): Promise<TemplatePartial> =>
    call(one('partials', id), options),

  /** Creates or replaces a partial. A template includes it with `{% render 'id', name: value %}`. */
  putPartial: (id: string, text: string, options?: CallOptions): Promise<TemplatePartial> =>
    call({ ...one('partials', id), body: { text }, method: 'PUT' }, options),

  deletePartial: async (id: string, options?: CallOptions): Promise<void> => {
    await call({ ...one('partials', id), method: 'DELETE' }, options)
  }
})

type Kind = 'layouts' | 'partials'

const all = (kind: Kind) => ({ method: 'GET', path: [kind] }) as const
const one = (kind: Kind, id: string) => ({ method: 'GET', path: [kind, id] }) as const
