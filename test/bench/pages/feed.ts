// The page under measurement: a feed with all notifications of a user on one page, or with a list of the page's own.

import '../../../components/feed/define.ts'
import { createNotifStore } from '../../../components/headless/index.ts'

const { apiUrl, clientId, list, userHash, userId } = Object.fromEntries(new URLSearchParams(location.search))
const feed = document.createElement('notif-feed')
feed.pagination = 'INFINITE_SCROLL'
if (list) feed.dataSource = (await (await fetch(list)).json()) as unknown[]
else {
  feed.store = createNotifStore({
    apiUrl: apiUrl!,
    clientId: clientId!,
    pageSize: 1000,
    userHash: userHash!,
    userId: userId!
  })
}
document.body.append(feed)
