"""How much an endpoint is asked at a time: requests and tokens a minute, width, rests."""
