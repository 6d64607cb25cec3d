/** The checkout of UCP that the examples tell of, as a business at shop.example signed one. */

export const checkout = {
  ucp: {
    version: '2026-08-25',
    payment_handlers: {},
  },
  id: 'chk_7Q2m4Zr9',
  status: 'ready_for_complete',
  currency: 'USD',
  line_items: [
    {
      id: 'li_1',
      item: {
        id: 'earpads',
        title: 'Earpads',
        price: 3750,
      },
      quantity: 1,
      totals: [
        {
          type: 'subtotal',
          amount: 3750,
        },
        {
          type: 'total',
          amount: 3750,
        },
      ],
    },
  ],
  totals: [
    {
      type: 'subtotal',
      amount: 3750,
    },
    {
      type: 'fulfillment',
      display_text: 'Shipping',
      amount: 450,
    },
    {
      type: 'total',
      amount: 4200,
    },
  ],
  links: [
    {
      type: 'terms_of_service',
      url: 'https://shop.example/terms',
    },
  ],
  ap2: {
    merchant_authorization:
      'eyJhbGciOiJFUzI1NiIsImtpZCI6ImJ1c2luZXNzXzIwMjYifQ..l9zx2gUj34PPqkAp4sJJDdvhkOJue0rrrOtzM8EbtHbVH4KW5YJ9FbxfphoxAjeBAzgra_dL1x_wqiToaTz5kQ',
  },
};
