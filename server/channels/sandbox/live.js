// Refreshes the list of the sandbox page, and shows times in the browser's zone and language.

const REFRESH_INTERVAL_MS = 3000
const todayFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const earlierFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

function showTimes() {
  for (const time of document.querySelectorAll('time')) {
    const date = new Date(time.dateTime)
    const isToday = date.toDateString() === new Date().toDateString()
    const format = time.classList.contains('whole') ? fullFormat : isToday ? todayFormat : earlierFormat
    time.textContent = format.format(date)
    time.title = fullFormat.format(date)
  }
}

const list = document.querySelector('.list')
let shown = list.innerHTML
showTimes()

setInterval(async () => {
  if (document.hidden) return
  const answer = await fetch(location.href).catch(() => undefined)
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = page.querySelector('.list')
  if (!next || next.innerHTML === shown) return
  shown = next.innerHTML
  const focused = list.contains(document.activeElement)
    ? document.activeElement.getAttribute('href')
    : undefined
  list.replaceChildren(...next.childNodes)
  document.body.className = page.body.className
  // The address names no message, so the newest is shown.
  if (!document.body.classList.contains('reading')) {
    document.querySelector('.message').replaceChildren(...page.querySelector('.message').childNodes)
  }
  if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
  showTimes()
}, REFRESH_INTERVAL_MS)
