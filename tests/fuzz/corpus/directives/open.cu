// headway: arg n=unknown(3..
