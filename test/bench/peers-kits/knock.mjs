// The page under measurement: Knock's feed, as its documentation puts it on a page, on an address of this machine.

import { KnockFeedProvider, KnockProvider, NotificationFeed } from '@knocklabs/react'
import css from '@knocklabs/react/dist/index.css'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const { base } = Object.fromEntries(new URLSearchParams(location.search))
const style = document.createElement('style')
style.textContent = css
const place = document.createElement('div')
document.head.append(style)
document.body.append(place)
createRoot(place).render(
  createElement(
    KnockProvider,
    { apiKey: 'pk_of_no_use', host: base, userId: 'ada' },
    createElement(
      KnockFeedProvider,
      { feedId: '00000000-0000-4000-8000-000000000000' },
      createElement(NotificationFeed)
    )
  )
)
