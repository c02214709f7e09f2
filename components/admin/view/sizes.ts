// Sizes that data sets. Through CSSOM: the policy of the page blocks style attributes, which `styleMap` would write.

import { ref } from 'lit/directives/ref.js'

/** An element part: `<i ${sizes({ 'inline-size': '40%' })}></i>`. */
export const sizes = (values: Readonly<Record<string, string>>): ReturnType<typeof ref> =>
  ref(element => {
    if (!(element instanceof HTMLElement)) return
    for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value)
  })
