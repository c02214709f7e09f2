// The certificate of fake peers on loopback. Its key is public: only these tests trust it.

import { setDefaultCACertificates, getCACertificates } from 'node:tls'

/** For localhost and 127.0.0.1, until 2126. */
export const TLS = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUCxQ3yEZ5ZbfoEhc4z2EYokWV7JcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEzNDI1OFoYDzIxMjYxMDI4
MTM0MjU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATukQYkHZbCUx/bY/zJatXnAJU1wKS65Gl1+NReG3SDDE2dsRW6B0me
m+xHYQflDWRooFif44PAjHZZD0WuwjzHo28wbTAdBgNVHQ4EFgQUHtVkiyUzLRqy
0TK/D5lfjRK+zXYwHwYDVR0jBBgwFoAUHtVkiyUzLRqy0TK/D5lfjRK+zXYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAPRIrSOFZ+DbU2dj3Xz7BmQGWZyVX5KTOGcmgmeJrFBjAiEA
zPPlj6Vrz8qmcqojWBQoGeclC+HU/WR4SVwJVY79ryQ=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2aY0gsFfcPvcX8Fp
7jdJ+lUX1HzAw1rwPeiitP1K/m6hRANCAATukQYkHZbCUx/bY/zJatXnAJU1wKS6
5Gl1+NReG3SDDE2dsRW6B0mem+xHYQflDWRooFif44PAjHZZD0WuwjzH
-----END PRIVATE KEY-----
`
}

/** Makes this process trust the certificate from now on. */
export function trustPeers(): void {
  setDefaultCACertificates([...getCACertificates('default'), TLS.cert])
}
