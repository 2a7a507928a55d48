#include "iostream"
using namespace std;
