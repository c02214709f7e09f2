// Sets the language, direction and colour scheme of a page from its address and from the form in its bar.

export function dressPage(): void {
  const root = document.documentElement
  const wanted = new URLSearchParams(location.search)
  root.lang = wanted.get('lang') ?? 'en'
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  const scheme = wanted.get('scheme') ?? ''
  if (/^(?:light|dark)$/.test(scheme)) root.classList.add(scheme)
  const form = document.forms[0]!
  for (const select of form.querySelectorAll('select')) {
    const value = wanted.get(select.name)
    if (value !== null) select.value = value
  }
  form.addEventListener('change', () => {
    location.search = new URLSearchParams([...new FormData(form)] as [string, string][]).toString()
  })
}
