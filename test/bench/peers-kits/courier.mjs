// The page under measurement: Courier's inbox, as its documentation puts it on a page, on addresses of this machine.

import { Courier } from '@trycourier/courier-ui-inbox'

const { base } = Object.fromEntries(new URLSearchParams(location.search))
// It keeps the whole of what the first answer brings, however many were asked for.
Courier.shared.paginationLimit = 100
Courier.shared.signIn({
  apiUrls: {
    courier: { graphql: `${base}/courier/q`, rest: `${base}/courier` },
    inbox: { graphql: `${base}/courier/q`, webSocket: `${base.replace('http', 'ws')}/courier` }
  },
  jwt: 'of.no.use',
  userId: 'ada'
})
document.body.append(document.createElement('courier-inbox'))
