// The sandbox page stays in step by itself: the list is fetched again, times are told as this reader tells them.

const EVERY = 3000
const today = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const before = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

function tellTimes() {
  for (const time of document.querySelectorAll('time')) {
    const date = new Date(time.dateTime)
    const isToday = date.toDateString() === new Date().toDateString()
    const text = time.classList.contains('whole') ? whole : isToday ? today : before
    time.textContent = text.format(date)
    time.title = whole.format(date)
  }
}

const list = document.querySelector('.list')
let shown = list.innerHTML
tellTimes()

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
  // Nobody chose the message that is shown: it is the newest.
  if (!document.body.classList.contains('reading')) {
    document.querySelector('.message').replaceChildren(...page.querySelector('.message').childNodes)
  }
  if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
  tellTimes()
}, EVERY)
