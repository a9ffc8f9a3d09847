/** Credentials for calls on a number. */
export interface NumberAccess {
  phone_number_id: string;
  access_token: string;
}

/** Credentials for calls on a business account. */
export interface AccountAccess {
  waba_id: string;
  access_token: string;
}
